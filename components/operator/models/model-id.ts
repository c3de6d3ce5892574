import { ownModelId } from "#contract/operator/constants.ts";
import type { Words } from "@/messages/words";

/** The namespace for names that have none. */
const ownNamespace = "own";

/** An id for a provider's model name: `fal-ai/flux/dev` becomes `fal-ai/flux-dev`. Empty without a name. */
export function proposedId(name: string): string {
  const [path = ""] = name.trim().toLowerCase().split(":");
  const parts = path
    .split("/")
    .map((part) => part.replace(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+|-+$/g, ""))
    .filter(Boolean);
  if (parts.length === 0) return "";
  const [first = "", ...rest] = parts;
  // The namespace of the built-in models.
  if (rest.length === 0 || first === "svc")
    return `${ownNamespace}/${parts.filter((part) => part !== "svc").join("-")}`;
  return `${first}/${rest.join("-")}`;
}

export function idProblem(t: Words<"operatorModels">, id: string): string | true {
  if (!new RegExp(ownModelId).test(id)) return t("writeAnId");
  return !id.startsWith("svc/") || t("namespaceOfBuiltIn");
}
