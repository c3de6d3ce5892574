"use client";

import { type FieldView, fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { MediaList } from "../media/media-list";
import { MediaPositions } from "../media/media-positions";

/** A list of files. If its length is fixed, each position has its own meaning. */
export const MediaListField = fieldComponent<"media-list", string[]>(MediaListControl);

function MediaListControl(view: FieldView<"media-list", string[]>) {
  const { field, value = [], onChange, pointer, ...rest } = view;
  const change = (next: string[]) => onChange(next.some((text) => text !== "") ? next : undefined);
  const [min, max] = [field.min, field.max];
  const room = max === null ? null : min === max ? `exactly ${max}` : `up to ${max}`;
  return (
    <FieldFrame field={field} {...rest} group aside={room && `${value.filter(Boolean).length} of ${room}`}>
      {() =>
        field.positions ? (
          <MediaPositions
            field={field}
            positions={field.positions}
            value={value}
            pointer={pointer}
            disabled={rest.disabled}
            onChange={change}
          />
        ) : (
          <MediaList
            field={field}
            value={value}
            pointer={pointer}
            invalid={rest.problem !== null}
            disabled={rest.disabled}
            onChange={change}
          />
        )
      }
    </FieldFrame>
  );
}
