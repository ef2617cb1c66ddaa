// Stands in for the compiled @vscode/spdlog: without a logger every Output channel of VS Code stays empty.
const fs = require("node:fs");
const path = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = levels.indexOf("info");
    this.raw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.appendFileSync(file, "");
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace("T", " ").slice(0, 23);
    try {
      fs.appendFileSync(this.file, this.raw ? message : `${time} [${levels[level]}] ${message}\n`);
    } catch {
      // The folder may be gone already while VS Code is shutting down.
    }
  }

  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.raw = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

async function createLogger(name, file) {
  return new Logger("rotating", name, file);
}

// One by one: an importing ES module sees only names that are assigned this way.
exports.version = 1;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
