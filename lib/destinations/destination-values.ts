import type { Destination, DestinationCreate, DestinationTry, DestinationUpdate } from "#contract/copies.ts";
import { automaticCopies } from "#contract/copy-constants.ts";

/** The values of the destination form. */
export interface DestinationValues {
  name: string;
  endpoint_url: string;
  region: string;
  bucket: string;
  prefix: string;
  path_style: boolean;
  access_key_id: string;
  /** Empty in a change: the stored secret stays. */
  secret_access_key: string;
  automatic: (typeof automaticCopies)[number];
  /** Ids, one per line. */
  models: string;
}

export const emptyDestination: DestinationValues = {
  name: "",
  endpoint_url: "",
  region: "us-east-1",
  bucket: "",
  prefix: "gatehouse/",
  path_style: true,
  access_key_id: "",
  secret_access_key: "",
  automatic: "off",
  models: "",
};

export function valuesOfDestination(destination: Destination): DestinationValues {
  const { name, endpoint_url, region, bucket, prefix, path_style, access_key_id } = destination;
  const automatic = automaticCopies.find((one) => one === destination.automatic) ?? "off";
  const place = { endpoint_url, region, bucket, prefix, path_style, access_key_id };
  return { name, ...place, secret_access_key: "", automatic, models: destination.models.join("\n") };
}

/** The part of the form that a test checks: where files are copied to. */
export function tryOf(values: DestinationValues): DestinationTry {
  return {
    endpoint_url: values.endpoint_url.trim(),
    region: values.region.trim(),
    bucket: values.bucket.trim(),
    prefix: values.prefix.trim(),
    path_style: values.path_style,
    access_key_id: values.access_key_id.trim(),
    secret_access_key: values.secret_access_key.trim(),
  };
}

export function creationOf(values: DestinationValues): DestinationCreate {
  return { name: values.name.trim(), ...tryOf(values), ...choiceOf(values) };
}

/**
 * Only the changed values, because the person who changes where or what is copied becomes responsible for the
 * copies.
 */
export function changeOf(values: DestinationValues, before: Destination): DestinationUpdate {
  const { secret_access_key: secret, ...all } = creationOf(values);
  const changed = Object.entries(all).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Destination]),
  );
  return { ...Object.fromEntries(changed), ...(secret !== "" && { secret_access_key: secret }) };
}

function choiceOf({ automatic, models }: DestinationValues): Pick<DestinationCreate, "automatic" | "models"> {
  if (automatic !== "chosen") return { automatic, models: [] };
  return { automatic, models: [...new Set(models.split(/[\s,]+/).filter(Boolean))] };
}
