import { parseAsString } from "nuqs/server";

const text = parseAsString.withDefault("");

/** The log's filters and its page, under the names of the gateway's own query. */
export const deliverySearch = {
  status: text,
  endpoint_id: text,
  event_type: text,
  prediction_id: text,
  event_id: text,
  id: text,
  status_class: text,
  error_code: text,
  since: text,
  created_after: text,
  created_before: text,
  after: text,
  before: text,
};
