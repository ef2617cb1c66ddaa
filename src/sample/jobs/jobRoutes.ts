import type { Call } from "../server/call.ts";
import { lookUpProject } from "../server/lookup.ts";
import { json, type Reply } from "../server/replies.ts";
import { runJobsNow } from "../sql/queryRoutes.ts";

/** `GET …/jobs`. */
export function listJobs(call: Call): Reply {
  const { name } = lookUpProject(call);
  runJobsNow(call.state);
  return json(call.state.jobs.filter(({ project }) => project === name));
}
