import { classNames } from "@/components/ui/class-names";
import { ModalityIcon } from "./modality-icon.tsx";
import { coverOf } from "./purpose.ts";

const width = 480;
const height = 270;

/** The picture of a model in the theme's own light; for one that nobody has drawn a sign of its kind, below the operator's picture. */
export function ModelCover({
  id,
  modality,
  url = null,
  className,
}: {
  id: string;
  modality: string;
  url?: string | null;
  className?: string;
}) {
  const cover = coverOf(id);
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
      <span
        className={classNames(
          "absolute grid place-items-center",
          cover === null ? "inset-0" : "bottom-2 left-2 size-7 rounded-control bg-raised",
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
