/** A job as the API returns it. */
export interface Job {
  id: number;
  name: string;
  project: string;
  query: string;
  if_query: string | null;
  start_at: string;
  end_at: string | null;
  next_run_at: string;
  schedule_str: string | null;
  variables: string[];
}

export interface JobRun {
  name: string;
  project: string;
  run_start: string;
  run_end: string;
  error: string | null;
  query: string;
}
