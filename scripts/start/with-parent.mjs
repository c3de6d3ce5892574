// Loaded into each program before its own code (--import): when the starter is gone, even by SIGKILL, it ends as well.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
