import { classNames } from "@/components/ui/class-names";
import { CoverExample, exampleOf } from "./cover-example.tsx";
import { ModalityIcon } from "./modality-icon.tsx";
import { coverOf } from "./purpose.ts";

const width = 480;
const height = 270;

/**
 * The picture of a model for the current theme, or an example as text; with an operator's own picture, only
 * the icon of its kind behind it.
 */
export function ModelCover({
  id,
  modality,
  apiTypes,
  url = null,
  className,
}: {
  id: string;
  modality: string;
  apiTypes: readonly string[];
  url?: string | null;
  className?: string;
}) {
  const example = url === null ? exampleOf(id, apiTypes) : null;
  const cover = example ? null : coverOf(id);
  const isPlain = cover === null && example === null;
  return (
    <span className={classNames("relative block aspect-video overflow-hidden bg-sunken", className)}>
      {cover !== null &&
        (["light", "dark"] as const).map((theme) => (
          // biome-ignore lint/performance/noImgElement: a few kilobytes each, made in their size
          <img
            key={theme}
            src={`/covers/${cover}-${theme}.webp`}
            alt=""
            width={width}
            height={height}
            loading="lazy"
            decoding="async"
            className={classNames(
              "size-full object-cover",
              theme === "light" ? "dark:hidden" : "hidden dark:block",
            )}
          />
        ))}
      {example ? (
        <CoverExample id={id} apiType={apiTypes[0] ?? ""} example={example} />
      ) : (
        <span
          className={classNames(
            "absolute grid place-items-center",
            isPlain ? "inset-0" : "bottom-2 left-2 size-7 rounded-control bg-raised",
          )}
        >
          <ModalityIcon modality={modality} />
        </span>
      )}
      {isPlain && url !== null && (
        // biome-ignore lint/performance/noImgElement: somebody else's picture, in whatever size it has
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  );
}
