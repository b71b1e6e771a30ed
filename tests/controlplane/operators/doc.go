// Package operators applies what `kubectl gpu gen` prints to a control plane beside which the real
// controllers run, with their webhooks, and waits for the pods.
//
// Its tests have the build tag operators: their first run builds eight controllers. Without the tag
// `go test` says that there are no test files here.
package operators
