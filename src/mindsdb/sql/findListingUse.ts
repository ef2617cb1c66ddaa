// Keeps credentials that servers list among their objects out of what is read as rows.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";
import type { CallOptions, Client } from "../http/client.ts";
import type { ListingUse } from "./listingUse.ts";
import { errorsOfStatement, orUnknown, searchTables, type SearchOptions } from "./tableSearch.ts";

/**
 * How a statement uses the server's listings, as `listingUse` tells from its text, also through views, and not where the
 * server says that a name is a data source's. "derived" where that is not known. Throws if the server cannot be reached.
 */
export function findListingUse(
  client: Client,
  sql: string,
  options: SearchOptions = {},
): Promise<ListingUse> {
  const use = searchTables(client, options).listingUse(sql);
  return orUnknown(use, "derived", errorsOfStatement);
}

/**
 * Throws AppError "refused" if a statement may read a listing of the server's objects: its rows are sent to models, and
 * masks are no values to learn or predict from.
 */
export async function throwIfListing(
  client: Client,
  sql: string,
  options: CallOptions,
): Promise<void> {
  if ((await client.findListingUse(sql, options)) === "none") return;
  throw new AppError("refused", explainListing());
}

export function explainListing(): string {
  return l10n.t(
    "These rows may contain credentials from the server's own lists, so they are not read. Select another table.",
  );
}
