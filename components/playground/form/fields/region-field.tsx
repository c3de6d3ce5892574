"use client";

import { Select } from "@/components/ui/form/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";

/** The region. If it is empty, the gateway chooses a healthy region of the model. */
export const RegionField = fieldComponent<"region", string>(({ field, value, onChange, ...rest }) => (
  <FieldFrame field={field} {...rest}>
    {(aria) => (
      <Select {...aria} value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
        <option value="">Automatic</option>
        {value && !field.regions.some(({ name }) => name === value) && (
          <option value={value}>{value} (not offered)</option>
        )}
        {field.regions.map(({ name, healthy }) => (
          <option key={name} value={name}>
            {healthy ? name : `${name} (unhealthy)`}
          </option>
        ))}
      </Select>
    )}
  </FieldFrame>
));
