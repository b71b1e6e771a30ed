// Command exporter serves recorded texts as metrics exporters do, one HTTP server for each entry of
// a JSON file: [{"listen": "10.0.0.2:9400", "file": "a.prom", "delay": "10s", "status": 500}]. The
// file is read anew for every request, so that a test can change what a card does.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

type served struct {
	Listen string `json:"listen"`
	File   string `json:"file"`
	Delay  string `json:"delay,omitempty"`
	Status int    `json:"status,omitempty"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: exporter FILE.json")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	var all []served
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	failed := make(chan error, 1)
	for _, entry := range all {
		listener, err := net.Listen("tcp", entry.Listen)
		if err != nil {
			return err
		}
		handler, err := entry.handler()
		if err != nil {
			return err
		}
		go func() { failed <- http.Serve(listener, handler) }()
	}
	fmt.Println("ready") // whoever started us waits for this
	return <-failed
}

func (s served) handler() (http.Handler, error) {
	delay := time.Duration(0)
	if s.Delay != "" {
		var err error
		if delay, err = time.ParseDuration(s.Delay); err != nil {
			return nil, err
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
		text, err := os.ReadFile(s.File)
		if err != nil || s.Status != 0 {
			http.Error(w, "internal error", max(s.Status, http.StatusInternalServerError))
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = w.Write(text)
	})
	return mux, nil
}
