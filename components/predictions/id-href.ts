/** The console's page for an id; undefined if its kind has none. */
export function idHref(id: string): string | undefined {
  const [prefix] = id.split("_", 1);
  switch (prefix) {
    case "pred":
      return `/predictions/${id}`;
    case "batch":
      return `/batches/${id}`;
    case "pst":
      return `/presets/${id}`;
    case "conv":
      return `/conversations/${id}`;
    case "dlv":
      return `/webhooks/deliveries/${id}`;
    case "we":
      return `/webhooks/endpoints/${id}`;
    case "evt":
      return `/webhooks/deliveries?event_id=${id}`;
    default:
      return undefined;
  }
}
