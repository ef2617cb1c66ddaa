// Facts that the most used engines do not declare: order, defaults, alternatives, and meanings of their parameters.
import * as l10n from "@vscode/l10n";

interface FieldHint {
  label?: string;
  description?: string;
  initial?: string;
  placeholder?: string;
  isRequired?: boolean;
  /** A path on the server, whatever the handler says. */
  isServerPath?: boolean;
  choices?: readonly string[];
}

export interface Alternative {
  label: string;
  description: string;
  /** The parameter that is sent with the id of the chosen option. */
  sentAs?: string;
  options: readonly {
    id: string;
    label: string;
    /** The parameters that only some options have, and whether this one requires them. */
    fields: Readonly<Record<string, boolean>>;
  }[];
}

interface EngineHints {
  /** Others follow as the handler declares them. */
  order?: readonly string[];
  fields?: Readonly<Record<string, FieldHint>>;
  alternative?: Alternative;
}

/** Engines that are offered first. */
export const commonEngines: readonly string[] = [
  "postgres",
  "mysql",
  "mariadb",
  "mssql",
  "snowflake",
  "bigquery",
  "redshift",
  "duckdb",
  "mongodb",
  "clickhouse",
  "s3",
  "sqlite",
];

export function serverPathNote(): string {
  return l10n.t("The MindsDB server reads this path, not your machine.");
}

const sslModes = ["", "disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
const parts = ["host", "port", "user", "password", "database", "schema"];

/** The hints for an engine; empty for one that is not known. */
export function engineHints(engine: string): EngineHints {
  switch (engine) {
    case "postgres":
    case "pgvector":
    case "timescaledb":
      return { order: [...parts, "sslmode"], fields: postgresFields("5432") };
    case "redshift":
      return { order: [...parts, "sslmode"], fields: postgresFields("5439") };
    case "mysql":
    case "mariadb":
      return {
        order: ["url", ...parts, "ssl"],
        fields: {
          host: hostHint(),
          port: { initial: "3306" },
          url: mysqlUrl(engine),
          ssl: { label: l10n.t("SSL") },
          ssl_ca: { label: l10n.t("SSL CA") },
          ssl_cert: { label: l10n.t("SSL Certificate") },
          ssl_key: { label: l10n.t("SSL Key") },
        },
        alternative: addressOrParts(),
      };
    case "mssql":
      return {
        order: ["host", "port", "server", "user", "password", "database", "schema"],
        fields: { host: hostHint(), port: { initial: "1433" } },
      };
    case "snowflake":
      return {
        order: ["account", "user", "password", "warehouse", "database", "schema", "role"],
        fields: { account: { placeholder: "abcxyz-1234567" }, schema: { placeholder: "PUBLIC" } },
        alternative: snowflakeSignIn(),
      };
    case "bigquery":
      return {
        order: ["project_id", "dataset", "service_account_json", "service_account_keys"],
        fields: {
          project_id: { label: l10n.t("Project ID"), isRequired: true },
          dataset: { label: l10n.t("Dataset") },
          service_account_json: { label: l10n.t("Service Account Key") },
          service_account_keys: { label: l10n.t("Key File") },
          billing_project: { label: l10n.t("Billing Project") },
          dataset_project: { label: l10n.t("Dataset Project") },
        },
        alternative: serviceAccount(),
      };
    case "duckdb":
      return {
        fields: {
          database: {
            label: l10n.t("Database File"),
            isRequired: true,
            isServerPath: true,
            placeholder: "/data/shop.duckdb",
          },
          read_only: { label: l10n.t("Read-Only") },
          motherduck_token: { label: l10n.t("MotherDuck Token") },
        },
      };
    case "sqlite":
      return {
        fields: {
          db_file: {
            label: l10n.t("Database File"),
            isRequired: true,
            isServerPath: true,
            placeholder: "/data/shop.db",
          },
        },
      };
    case "mongodb":
      return {
        order: ["host", "port", "username", "password", "database"],
        fields: { host: hostHint(), port: { initial: "27017" } },
      };
    case "clickhouse":
      return {
        order: ["protocol", "host", "port", "user", "password", "database", "verify"],
        fields: {
          host: hostHint(),
          protocol: { initial: "native", choices: ["native", "http", "https"] },
          port: {
            initial: "9000",
            description: l10n.t("Usually 9000 for native, 8123 for http, and 8443 for https."),
          },
        },
      };
    case "s3":
      return {
        order: ["bucket", "region_name", "aws_access_key_id", "aws_secret_access_key"],
        fields: { region_name: { placeholder: "us-east-1" } },
      };
    default:
      return {};
  }
}

function hostHint(): FieldHint {
  return {
    description: l10n.t(
      "The address MindsDB uses to reach it. 127.0.0.1 is the machine the server runs on.",
    ),
  };
}

function postgresFields(port: string): Record<string, FieldHint> {
  return {
    host: hostHint(),
    port: { initial: port },
    schema: { placeholder: "public" },
    sslmode: { label: l10n.t("SSL Mode"), choices: sslModes },
    connection_parameters: {
      label: l10n.t("Connection Parameters"),
      description: l10n.t("Further parameters of the driver, as a JSON object."),
      placeholder: '{"connect_timeout": 5}',
    },
  };
}

function mysqlUrl(scheme: string): FieldHint {
  return {
    description: l10n.t("Contains the password, so it is hidden and not stored by this extension."),
    placeholder: `${scheme}://user:password@host:3306/database`,
  };
}

function addressOrParts(): Alternative {
  return {
    label: l10n.t("Connect With"),
    description: l10n.t("A URL replaces host, port, user, password, and database."),
    options: [
      {
        id: "parts",
        label: l10n.t("Host, user, and password"),
        fields: { host: true, port: true, user: true, password: true, database: true },
      },
      { id: "url", label: l10n.t("URL"), fields: { url: true } },
    ],
  };
}

function snowflakeSignIn(): Alternative {
  const keyFields = { private_key: false, private_key_path: false, private_key_passphrase: false };
  return {
    label: l10n.t("Sign In With"),
    description: l10n.t("How the MindsDB server signs in to Snowflake."),
    sentAs: "auth_type",
    options: [
      { id: "password", label: l10n.t("Password"), fields: { password: true } },
      { id: "key_pair", label: l10n.t("Key pair"), fields: keyFields },
    ],
  };
}

function serviceAccount(): Alternative {
  return {
    label: l10n.t("Service Account"),
    description: l10n.t("Where to read the Google service account key from."),
    options: [
      {
        id: "json",
        label: l10n.t("Paste the key file's content"),
        fields: { service_account_json: true },
      },
      {
        id: "path",
        label: l10n.t("A key file on the server"),
        fields: { service_account_keys: true },
      },
    ],
  };
}
