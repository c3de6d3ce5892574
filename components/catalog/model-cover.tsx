import { classNames } from "@/components/ui/class-names";
import { ExampleCover, hasExampleCover } from "./example-cover.tsx";
import { ModalityIcon } from "./modality-icon.tsx";
import { coverOf } from "./purpose.ts";

const width = 480;
const height = 270;

/**
 * The picture of a model in the theme's own light, an example where it makes words or sound, a sign of its kind where there
 * is neither. An operator's picture covers the last two.
 */
export function ModelCover({
  id,
  modality,
  apiType,
  url = null,
  className,
}: {
  id: string;
  modality: string;
  /** What it is mainly used for. */
  apiType: string;
  url?: string | null;
  className?: string;
}) {
  const cover = coverOf(id, apiType);
  const isExample = cover === null && hasExampleCover(apiType);
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
      {isExample && url === null && <ExampleCover id={id} apiType={apiType} />}
      <span
        className={classNames(
          "absolute grid place-items-center",
          cover === null && !isExample ? "inset-0" : "bottom-2 left-2 size-7 rounded-control bg-raised",
        )}
      >
        <ModalityIcon modality={modality} />
      </span>
      {cover === null && url !== null && (
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
