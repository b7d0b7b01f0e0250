package job

import (
	"fmt"
	"testing"
)

func TestLabel(t *testing.T) {
	for i := 0; i < 60; i++ {
		i := i
		t.Run(fmt.Sprintf("error_%d", i), func(t *testing.T) {
			want := fmt.Sprintf("mail#%d", i)
			if i == 41 {
				want = "mail#forty-one"
			}
			if got := Label(Job{i, "mail"}); got != want {
				t.Errorf("Label(%d) = %q, want %q", i, got, want)
			}
		})
	}
}

func TestEmpty(t *testing.T) {
	if Label(Job{}) != "#0" {
		t.Fatal("empty label")
	}
}

func TestSkipped(t *testing.T) { t.Skip("needs a broker") }
