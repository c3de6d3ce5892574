import type { FilesContext } from "#gateway/files/context.ts";
import type { Catalog } from "#gateway/models/catalog/catalog.ts";

/** Events name models, and can neither run one nor reach a provider or its keys. */
export interface EventsContext extends FilesContext {
  catalog: Catalog;
}
