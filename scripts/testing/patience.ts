import { configure } from "@testing-library/react";

// A part that loads late may take longer than the usual second where a machine does other things too.
configure({ asyncUtilTimeout: 10_000 });
