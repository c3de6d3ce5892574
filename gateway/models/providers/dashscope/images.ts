import { maxBytes, numberOf, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { mediaText } from "../media/inputs.ts";
import { outputsOf } from "../media/outputs.ts";
import type { ProviderRequest, SyncResult } from "../provider.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { partsOf, promptOf } from "./request-parts.ts";
import { servicePaths } from "./service-paths.ts";

/** Makes or edits images and waits for them. */
export async function makeImages(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const { upstream, path } = mapped;
  const json = await imageRequest(mapped, request);
  const answer = await upstream.json(
    request,
    { path: path ?? servicePaths.multimodal, json },
    maxBytes.media,
  );
  const outputs = outputsOf(imagesOf(answer.output), request);
  const quantity = numberOf(recordOf(answer.usage).image_count) ?? outputs.length;
  return { kind: "images", outputs, usage: { unit: "generation", quantity } };
}

/** One user message: the pictures in order, then the text. */
export async function imageRequest(
  mapped: Mapped,
  request: ProviderRequest,
): Promise<Record<string, unknown>> {
  const { prompt: _, image: __, ...rest } = request.input;
  const { input, parameters } = partsOf(rest, mapped.fields);
  const pictures = request.media.filter(({ kind }) => kind === "image");
  const content: Record<string, string>[] = [];
  for (const picture of pictures) content.push({ image: await mediaText(request, picture, mapped.media) });
  const text = promptOf(request);
  if (text) content.push({ text });
  return { model: mapped.model, input: { ...input, messages: [{ role: "user", content }] }, parameters };
}

/** The URLs of an answer or task: `choices[].message.content[].image`, else `results[].url`. */
export function imagesOf(value: unknown): unknown[] {
  const output = recordOf(value);
  const inChoices = recordsOf(output.choices).flatMap((choice) =>
    recordsOf(recordOf(choice.message).content).map((part) => part.image),
  );
  const results = recordsOf(output.results).map((result) => result.url ?? result.image);
  return [...inChoices, ...results, output.image_url].filter((url) => textOf(url) !== null);
}
