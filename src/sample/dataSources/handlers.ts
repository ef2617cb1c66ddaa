// The handlers of the sample server: few, of each sort that real servers have.
import { sampleEngine, type State } from "../server/state.ts";

interface Argument {
  type: string;
  description: string;
  required?: boolean;
  label?: string;
  secret?: boolean;
}

interface Handler {
  name: string;
  type: "data" | "ml";
  title: string;
  description: string;
  /** The Python module of the driver, if it must be installed. */
  driver?: string;
  arguments: Record<string, Argument> | null;
}

/** Parameters of the only database that the sample server can connect to. */
export const sampleDatabase = {
  host: "sample",
  port: 5432,
  user: "tenant",
  password: "lantern",
  database: "lantern_lane",
};

const required = { required: true };
const postgres: Record<string, Argument> = {
  user: {
    type: "str",
    description: "The sample database has the user tenant.",
    ...required,
    label: "User",
  },
  password: {
    type: "pwd",
    description: "The password of tenant is lantern.",
    ...required,
    label: "Password",
    secret: true,
  },
  database: {
    type: "str",
    description: "The sample database is called lantern_lane.",
    ...required,
    label: "Database",
  },
  host: {
    type: "str",
    description: "Enter sample. The sample server can't reach other hosts.",
    ...required,
    label: "Host",
  },
  port: {
    type: "int",
    description: "The port of the database server.",
    ...required,
    label: "Port",
  },
  schema: {
    type: "str",
    description: "The schema in which objects are searched first.",
    required: false,
    label: "Schema",
  },
};

const handlers: readonly Handler[] = [
  {
    name: "postgres",
    type: "data",
    title: "PostgreSQL",
    description: "A simulated database.",
    arguments: postgres,
  },
  {
    name: "mysql",
    type: "data",
    title: "MySQL",
    description: "Needs a driver, which the sample server only pretends to install.",
    driver: "mysql",
    arguments: {
      url: {
        type: "str",
        description: "Overrides the other arguments.",
        required: false,
        label: "URL",
      },
      ...postgres,
    },
  },
  {
    name: "web",
    type: "data",
    title: "Web",
    description: "Declares no parameters, like some handlers of real servers.",
    arguments: null,
  },
  {
    name: sampleEngine,
    type: "ml",
    title: "Sample",
    description: "The small engine that trains the models of the sample server.",
    arguments: null,
  },
  {
    name: "openai",
    type: "ml",
    title: "OpenAI",
    description: "The sample server can't reach a provider, so it refuses every key.",
    arguments: {
      openai_api_key: {
        type: "str",
        description: "Leave it empty: the sample server can't check a key.",
        required: false,
        label: "OpenAI API key",
        secret: true,
      },
    },
  },
  {
    name: "mlflow",
    type: "ml",
    title: "MLflow",
    description: "Needs a driver, which the sample server only pretends to install.",
    driver: "mlflow",
    arguments: null,
  },
];

export function findHandler(name: string): Handler | undefined {
  return handlers.find((handler) => handler.name === name);
}

export function isInstalled({ installedDrivers }: State, { name, driver }: Handler): boolean {
  return driver === undefined || installedDrivers.includes(name);
}

/** The rows of `GET /api/handlers/`. */
export function listHandlerRows(state: State): object[] {
  return handlers.map((handler) => {
    const { name, type, title, description, driver } = handler;
    const isMl = type === "ml";
    const success = isInstalled(state, handler);
    return {
      name,
      type,
      class_type: isMl ? "ml" : "sql",
      title,
      description,
      version: "0.0.1",
      connection_args: isMl
        ? { prediction: [], creation_args: handler.arguments ?? [] }
        : handler.arguments,
      import: {
        success,
        error_message: success ? null : `No module named '${driver ?? ""}'`,
        folder: `${name}_handler`,
        dependencies: driver === undefined ? [] : [driver],
      },
    };
  });
}
