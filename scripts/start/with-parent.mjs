// Loaded into each program before its own code (--import). Ends the program when the starter has ended, even
// by SIGKILL. Programs that this program starts load it too, but use their own channel: "next dev" waits at
// it for its options.
if (process.ppid === Number(process.env.STARTER_PID)) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
