// Package job runs jobs.
package job

import "fmt"

// Job is one unit of work.
type Job struct {
	ID   int
	Name string
}

// Label names a job.
func Label(j Job) string { return fmt.Sprintf("%s#%d", j.Name, j.ID) }

// Next returns the job after i.
func Next(jobs []Job, i int) Job { return jobs[i+1] }
