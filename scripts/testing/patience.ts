import { configure } from "@testing-library/react";

// A part that loads late may take longer than the default second on a busy machine.
configure({ asyncUtilTimeout: 10_000 });
