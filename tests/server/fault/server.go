// Package fault is an API server that can be told to misbehave, and small proxies, for tests of a
// client. It listens on loopback only.
package fault

import (
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"

	"kubectl-gpu/tests/server/pki"
)

// Seen is what the server saw of one request.
type Seen struct {
	Path          string
	Query         string
	Host          string
	SNI           string
	Authorization string
	ClientCN      string
	Encoding      string
	Accept        string
	UserAgent     string
	Impersonate   map[string][]string
	Remote        string
	Protocol      string
}

// Server is one API server on one port.
type Server struct {
	Authority *pki.Authority
	URL       string
	Address   string

	listener net.Listener
	http     *http.Server
	mutex    sync.Mutex
	seen     []Seen
}

// Options are what a Server may differ in.
type Options struct {
	Fault   Fault
	Handler http.Handler // what it serves when it behaves
	Address string       // default 127.0.0.1:0
}

// Start listens and serves until Close.
func Start(options Options) (*Server, error) {
	authority, err := pki.NewAuthority("test authority")
	if err != nil {
		return nil, err
	}
	if options.Address == "" {
		options.Address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", options.Address)
	if err != nil {
		return nil, err
	}
	s := &Server{Authority: authority, Address: listener.Addr().String(), listener: listener}
	handler := options.Handler
	if options.Fault.Handle != nil {
		handler = options.Fault.Handle(handler)
	}
	s.http = &http.Server{Handler: s.record(handler), ErrorLog: log.New(io.Discard, "", 0)}
	s.URL = "https://" + s.Address
	switch options.Fault.Wire {
	case Silent:
		go holdConnections(listener)
		return s, nil
	case Plain:
		go s.http.Serve(listener)
		return s, nil
	}
	config, err := s.tlsConfig(options.Fault)
	if err != nil {
		listener.Close()
		return nil, err
	}
	s.http.TLSConfig = config
	go s.http.Serve(tls.NewListener(listener, config))
	return s, nil
}

func (s *Server) tlsConfig(fault Fault) (*tls.Config, error) {
	leaf := pki.Leaf{CommonName: "server", Names: []string{"127.0.0.1", "::1", "localhost", "kubernetes.default.svc"}}
	if fault.Leaf != nil {
		fault.Leaf(&leaf)
	}
	pair, err := s.Authority.Issue(leaf)
	if err != nil {
		return nil, err
	}
	certificate, err := pair.TLS()
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert,
		NextProtos: []string{"h2", "http/1.1"}}
	if fault.TLS != nil {
		fault.TLS(config, s.Authority)
	}
	return config, nil
}

// Close drops every connection.
func (s *Server) Close() {
	s.http.Close()
	s.listener.Close()
}

// Requests are those since the start or the last Forget.
func (s *Server) Requests() []Seen {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]Seen(nil), s.seen...)
}

// Forget drops what was seen.
func (s *Server) Forget() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.seen = nil
}

func (s *Server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := Seen{Path: r.URL.Path, Query: r.URL.RawQuery, Host: r.Host, Remote: r.RemoteAddr,
			Authorization: r.Header.Get("Authorization"), Encoding: r.Header.Get("Accept-Encoding"),
			Accept: r.Header.Get("Accept"), UserAgent: r.UserAgent(), Protocol: r.Proto,
			Impersonate: map[string][]string{}}
		for name, values := range r.Header {
			if strings.HasPrefix(name, "Impersonate-") {
				seen.Impersonate[name] = values
			}
		}
		if r.TLS != nil {
			seen.SNI = r.TLS.ServerName
			if len(r.TLS.PeerCertificates) > 0 {
				seen.ClientCN = r.TLS.PeerCertificates[0].Subject.CommonName
			}
		}
		s.mutex.Lock()
		s.seen = append(s.seen, seen)
		s.mutex.Unlock()
		next.ServeHTTP(w, r)
	})
}

// holdConnections takes connections and never says a word.
func holdConnections(listener net.Listener) {
	var held []net.Conn
	defer func() {
		for _, connection := range held {
			connection.Close()
		}
	}()
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		held = append(held, connection)
	}
}
