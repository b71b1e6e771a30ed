// Package pki makes throwaway authorities, certificates and keys.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// KeyForm is a kind of key and how its PEM is written.
type KeyForm string

const (
	ECSec1     KeyForm = "EC in SEC1"
	ECPkcs8    KeyForm = "EC in PKCS#8"
	RSAPkcs1   KeyForm = "RSA in PKCS#1"
	RSAPkcs8   KeyForm = "RSA in PKCS#8"
	Ed25519Key KeyForm = "Ed25519"
)

// Authority signs certificates.
type Authority struct {
	PEM    []byte
	parsed *x509.Certificate
	key    crypto.Signer
}

// Pair is a certificate and its key, in PEM.
type Pair struct{ Cert, Key []byte }

// Leaf says what a certificate is for. A name that is an IP address becomes one.
type Leaf struct {
	CommonName string
	Names      []string
	NotBefore  time.Time
	NotAfter   time.Time
	Form       KeyForm
}

// NewAuthority makes one that is valid for a day.
func NewAuthority(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &Authority{PEM: encode("CERTIFICATE", der), parsed: parsed, key: key}, nil
}

// Issue signs a certificate that serves for servers and clients alike.
func (a *Authority) Issue(leaf Leaf) (Pair, error) {
	key, keyPEM, err := newKey(leaf.Form)
	if err != nil {
		return Pair{}, err
	}
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: leaf.CommonName},
		NotBefore: leaf.NotBefore, NotAfter: leaf.NotAfter,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	if template.NotBefore.IsZero() {
		template.NotBefore = time.Now().Add(-time.Hour)
	}
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(12 * time.Hour)
	}
	for _, name := range leaf.Names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.parsed, key.Public(), a.key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{Cert: encode("CERTIFICATE", der), Key: keyPEM}, nil
}

// Pool holds the authority alone.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.parsed)
	return pool
}

// TLS is the pair as crypto/tls wants it.
func (p Pair) TLS() (tls.Certificate, error) { return tls.X509KeyPair(p.Cert, p.Key) }

func newKey(form KeyForm) (crypto.Signer, []byte, error) {
	var key crypto.Signer
	var err error
	switch form {
	case RSAPkcs1, RSAPkcs8:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case Ed25519Key:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err != nil {
		return nil, nil, err
	}
	switch typed := key.(type) {
	case *ecdsa.PrivateKey:
		if form == ECSec1 {
			der, err := x509.MarshalECPrivateKey(typed)
			return key, encode("EC PRIVATE KEY", der), err
		}
	case *rsa.PrivateKey:
		if form == RSAPkcs1 {
			return key, encode("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(typed)), nil
		}
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return key, encode("PRIVATE KEY", der), err
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func serial() *big.Int {
	number, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		panic(fmt.Sprintf("no randomness: %v", err))
	}
	return number
}
