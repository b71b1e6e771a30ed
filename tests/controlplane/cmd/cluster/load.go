package main

import (
	"context"
	"flag"
	"fmt"
)

func load(ctx context.Context, flags *flag.FlagSet, dir *string, args []string) error {
	return fmt.Errorf("not yet")
}
