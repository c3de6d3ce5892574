import { openAsBlob } from "node:fs";
import { FormData } from "undici";
import { maxBytes } from "../http/read-body.ts";
import { upstreamFields } from "../media/inputs.ts";
import { outputsOf } from "../media/outputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderOutput, ProviderRequest } from "../provider.ts";
import { addFields } from "./form.ts";

/** Makes or edits images: `POST /images/generations`, or `POST /images/edits` with the pictures as files. */
export async function makeImages(mapped: Mapped, request: ProviderRequest): Promise<ProviderOutput[]> {
  const { upstream } = mapped;
  const call =
    request.operation.api_type === "image-editing"
      ? { path: "/images/edits", form: await editForm(mapped, request) }
      : { path: "/images/generations", json: imageFields(mapped, request) };
  const answer = await upstream.json(request, call, maxBytes.media);
  const outputs = outputsOf(answer.data, request);
  const format = request.input.output_format;
  return typeof format === "string"
    ? outputs.map((output) => ({ ...output, contentType: `image/${format}` }))
    : outputs;
}

/** OpenAI expects sizes as `WxH`, however the catalog entry expresses them. */
function imageFields({ model, fields }: Mapped, request: ProviderRequest): Record<string, unknown> {
  const { image: _, width, height, size, ...rest } = request.input;
  const asked = typeof size === "string" ? size.replace("*", "x") : null;
  const spelled = typeof width === "number" && typeof height === "number" ? `${width}x${height}` : asked;
  return { ...upstreamFields({ ...rest, ...(spelled && { size: spelled }) }, fields), model };
}

async function editForm(mapped: Mapped, request: ProviderRequest): Promise<FormData> {
  const form = new FormData();
  addFields(form, imageFields(mapped, request));
  const pictures = request.media.filter(({ kind }) => kind === "image");
  const name = pictures.length > 1 ? "image[]" : "image";
  for (const [index, { file, contentType }] of pictures.entries()) {
    const ending = contentType.split("/")[1] ?? "png";
    form.append(name, await openAsBlob(file, { type: contentType }), `image-${index + 1}.${ending}`);
  }
  return form;
}
