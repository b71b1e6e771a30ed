package fault

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Proxy is an HTTP or SOCKS5 proxy that leads everything to one address, whatever name it is asked
// for: so a test can use names that do not exist.
type Proxy struct {
	Address string
	target  string

	listener net.Listener
	mutex    sync.Mutex
	through  map[string]bool // our end of connections to the target
	asked    []string        // "name:port", and user:password when given
}

// StartHTTPProxy takes CONNECT, and plain requests with a whole URL.
func StartHTTPProxy(target string) (*Proxy, error) {
	return startProxy(target, (*Proxy).serveHTTPConnection)
}

// StartSOCKSProxy speaks SOCKS5, with or without a password.
func StartSOCKSProxy(target string) (*Proxy, error) {
	return startProxy(target, (*Proxy).serveSOCKSConnection)
}

func startProxy(target string, serve func(*Proxy, net.Conn)) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{Address: listener.Addr().String(), target: target, listener: listener, through: map[string]bool{}}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				serve(p, connection)
			}()
		}
	}()
	return p, nil
}

// Close stops listening.
func (p *Proxy) Close() { p.listener.Close() }

// Carried says whether a request that the target saw from `remote` came through here.
func (p *Proxy) Carried(remote string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.through[remote]
}

// Asked are the names asked for since the last call. It also forgets the connections, as the system
// gives their ports to others.
func (p *Proxy) Asked() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	asked := p.asked
	p.asked = nil
	clear(p.through)
	return asked
}

func (p *Proxy) dial(asked string) (net.Conn, error) {
	upstream, err := net.Dial("tcp", p.target)
	if err != nil {
		return nil, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.through[upstream.LocalAddr().String()] = true
	p.asked = append(p.asked, asked)
	return upstream, nil
}

func join(a io.ReadWriteCloser, fromA io.Reader, b net.Conn) {
	done := make(chan struct{})
	go func() {
		io.Copy(b, fromA)
		b.Close()
		close(done)
	}()
	io.Copy(a, b)
	a.Close()
	<-done
}

func (p *Proxy) serveHTTPConnection(client net.Conn) {
	reader := bufio.NewReader(client)
	request, err := http.ReadRequest(reader)
	if err != nil {
		return
	}
	asked := request.Host
	if word, ok := strings.CutPrefix(request.Header.Get("Proxy-Authorization"), "Basic "); ok {
		plain, _ := base64.StdEncoding.DecodeString(word)
		asked = string(plain) + "@" + asked
	}
	upstream, err := p.dial(asked)
	if err != nil {
		io.WriteString(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
		return
	}
	if request.Method == http.MethodConnect {
		io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n")
		join(client, reader, upstream)
		return
	}
	defer upstream.Close()
	request.Header.Del("Proxy-Authorization")
	request.Header.Set("Connection", "close")
	request.Write(upstream)
	io.Copy(client, upstream)
}

func (p *Proxy) serveSOCKSConnection(client net.Conn) {
	reader := bufio.NewReader(client)
	take := func(n int) []byte {
		bytes := make([]byte, n)
		if _, err := io.ReadFull(reader, bytes); err != nil {
			return make([]byte, n)
		}
		return bytes
	}
	methods := take(int(take(2)[1]))
	login := ""
	if strings.Contains(string(methods), "\x02") {
		client.Write([]byte{5, 2})
		take(1)
		user := string(take(int(take(1)[0])))
		login = user + ":" + string(take(int(take(1)[0]))) + "@"
		client.Write([]byte{1, 0})
	} else {
		client.Write([]byte{5, 0})
	}
	host := ""
	switch take(4)[3] {
	case 1:
		host = net.IP(take(4)).String()
	case 3:
		host = string(take(int(take(1)[0])))
	case 4:
		host = net.IP(take(16)).String()
	}
	port := binary.BigEndian.Uint16(take(2))
	upstream, err := p.dial(login + net.JoinHostPort(host, strconv.Itoa(int(port))))
	if err != nil {
		client.Write([]byte{5, 5, 0, 1, 0, 0, 0, 0, 0, 0})
		return
	}
	client.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
	join(client, reader, upstream)
}
