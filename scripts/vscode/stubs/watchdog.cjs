// Stands in for the compiled native-watchdog: ends an extension host whose VS Code is gone.
const process = require("node:process");
const { setInterval } = require("node:timers");

exports.start = (parentPid) => {
  const watch = setInterval(() => {
    try {
      process.kill(parentPid, 0);
    } catch {
      process.exit(87);
    }
  }, 2000);
  watch.unref();
};
