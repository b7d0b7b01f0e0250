package vet

import (
	"fmt"
	"sync"
)

type box struct {
	mu sync.Mutex
	n  int
}

func show(b box) {
	fmt.Printf("%d %s\n", b.n)
	return
	fmt.Println("never")
}
