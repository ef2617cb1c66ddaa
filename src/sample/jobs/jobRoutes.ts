import type { Call } from "../server/call.ts";
import { readFields } from "../server/fields.ts";
import { lookUpProject } from "../server/lookup.ts";
import { crash, json, type Reply } from "../server/replies.ts";
import { runJobsNow } from "../sql/queryRoutes.ts";
import { SqlError } from "../sql/tokens.ts";
import { createJob as create } from "./jobs.ts";

/** `GET …/jobs`. */
export function listJobs(call: Call): Reply {
  const { name } = lookUpProject(call);
  runJobsNow(call.state);
  return json(call.state.jobs.filter(({ project }) => project === name));
}

const known = ["name", "query", "start_at", "end_at", "schedule_str", "if_query"];

/** `POST …/jobs`. The keys of both times must be there. */
export function createJob(call: Call): Reply {
  const { name: project } = lookUpProject(call);
  const { state } = call;
  const fields = readFields(call, "job");
  const missing = ["start_at", "end_at"].find((key) => !(key in fields));
  if (missing !== undefined) throw crash("KeyError", `'${missing}'`);
  const other = Object.keys(fields).find((key) => !known.includes(key));
  if (other !== undefined) throw crash("TypeError", `unexpected keyword argument '${other}'`);
  const read = (key: string): string | undefined =>
    typeof fields[key] === "string" ? fields[key] : undefined;
  const name = read("name") ?? "";
  try {
    create(
      { state, database: project },
      {
        kind: "createJob",
        path: [project, name],
        query: read("query") ?? "",
        start: read("start_at"),
        end: read("end_at"),
        schedule: read("schedule_str"),
        condition: read("if_query"),
      },
    );
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw crash("Exception", error.message);
  }
  return json(state.jobs.find((job) => job.project === project && job.name === name));
}
