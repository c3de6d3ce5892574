import type { ApiType, CatalogModel } from "#contract/catalog.ts";
import { type Candidate, fitting, suggestedOf } from "./candidates.ts";
import { type CommonInput, commonFrom } from "./common-input.ts";
import { candidateKey } from "./kinds.ts";

/** A ready input for people who have none yet. */
export interface Idea {
  /** A message of the part `compare`. */
  title: (typeof titles)[keyof typeof titles];
  input: Pick<CommonInput, "text" | "images">;
  /** The kind of output that the title promises. */
  kind: ApiType;
  /** The model whose example it is. */
  cover: { id: string; modality: string; apiTypes: readonly string[] };
}

const titles = {
  "image-editing": "editAPhoto",
  "image-generation": "makeAPicture",
  "chat-completions": "askAQuestion",
} as const;

/** An idea for each of the most usual kinds: the example of the first model that anybody may run. */
export function ideasOf(models: readonly CatalogModel[], candidates: readonly Candidate[]): Idea[] {
  const operations = new Map(
    models.flatMap(({ id, operations }) =>
      operations.map((operation) => [candidateKey(id, operation.api_type), operation] as const),
    ),
  );
  return Object.entries(titles).flatMap(([apiType, title]) => {
    const candidate = candidates.find((each) => each.apiType === apiType && each.attestations.length === 0);
    const operation = candidate && operations.get(candidate.key);
    if (!operation) return [];
    const { text, images } = commonFrom(candidate, operation.example);
    const { model: id, modality, apiType: kind } = candidate;
    const cover = { id, modality, apiTypes: [kind] };
    return text ? [{ title, input: { text, ...(images && { images }) }, kind, cover }] : [];
  });
}

/** The models that an idea chooses: only its own kind, because a picture's prompt also fits costly videos. */
export function suggestedFor({ input, kind }: Idea, candidates: readonly Candidate[]): Candidate[] {
  const open = fitting(candidates, input).filter(
    ({ apiType, attestations }) => apiType === kind && attestations.length === 0,
  );
  return suggestedOf(open, []);
}
