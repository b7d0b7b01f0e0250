package broken

import (
	"os"

	"example.org/queue/job"
)

func Run(j job.Job) int {
	name := j.Title
	var limit int = "ten"
	return undefinedLimit + limit
}
