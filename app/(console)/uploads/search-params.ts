import { createLoader } from "nuqs/server";
import { uploadFilterParsers } from "@/components/uploads/filter";

/** Reads the list's filter from the URL on the server. */
export const loadUploadFilter = createLoader(uploadFilterParsers);
