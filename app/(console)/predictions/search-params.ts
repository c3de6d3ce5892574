import { createLoader } from "nuqs/server";
import { predictionFilterParsers } from "@/components/predictions/filter";

/** Reads the filters of list and detail from the URL on the server. */
export const loadPredictionFilter = createLoader(predictionFilterParsers);
