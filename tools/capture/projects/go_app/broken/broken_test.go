package broken

import "testing"

func TestRun(t *testing.T) {}
