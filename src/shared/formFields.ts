// What hosts and pages of forms say about fields.
import type { Notice } from "./itemPage.ts";

export interface FieldTexts {
  label: string;
  description: string;
}

/** A notice below the field that it is about. */
export interface FieldNotice<Field> extends Notice {
  field: Field;
}
