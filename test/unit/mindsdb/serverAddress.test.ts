import assert from "node:assert/strict";
import {
  addressCandidates,
  formatAddress,
  isLoopback,
  isPrivate,
  parseAddress,
} from "../../../src/mindsdb/http/serverAddress.ts";
import { isSameServer } from "../../../src/mindsdb/http/isSameServer.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";

const readings = (text: string) => addressCandidates(text).map(formatAddress);

describe("address", () => {
  it("is the same server by name and by IP address", () => {
    const same = (a: string, b: string) => isSameServer(parseAddress(a), parseAddress(b));
    assert.ok(same("http://localhost:47334", "http://127.0.0.1:47334/"));
    assert.ok(same("http://localhost/a", "http://127.0.0.1:80/a"));
    assert.ok(same("http://0.0.0.0:47334", "http://127.0.0.1:47334"));
    assert.ok(same("http://localhost.:47334", "http://127.0.0.1:47334"));
    assert.ok(!same("http://localhost:47334", "http://127.0.0.1:47335"));
    assert.ok(!same("http://localhost:47334", "https://127.0.0.1:47334"));
    assert.ok(!same("http://localhost:47334/a", "http://127.0.0.1:47334"));
    assert.ok(!same("http://localhost.example:47334", "http://127.0.0.1:47334"));
  });

  it("is private if it leads to a different server from another machine", () => {
    const hosts = {
      private: [
        ...["127.0.0.1", "localhost", "LOCALHOST.", "mdb.localhost", "[::1]", "0.0.0.0"],
        ...["10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.7", "169.254.1.1", "100.64.0.1"],
        ...["[fd12::1]", "[fe80::1]", "[::ffff:192.168.1.7]", "[::ffff:127.0.0.1]"],
        ...["mindsdb", "nas.local", "host.docker.internal", "box.lan", "box.home.arpa"],
      ],
      public: [
        ...["8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.1.1", "100.128.0.1", "11.0.0.1"],
        ...["[2001:db8::1]", "[::ffff:8.8.8.8]", "mdb.example.com", "10.0.0.5.example.com"],
        ...["local.example.com", "fd12.example.com"],
      ],
    };
    for (const [kind, list] of Object.entries(hosts)) {
      for (const host of list) {
        const address = parseAddress(`https://${host}/a`);
        assert.equal(isPrivate(address), kind === "private", host);
      }
    }
  });

  const local: Record<string, string> = {
    "127.0.0.1": "http://127.0.0.1:47334",
    "127.0.0.1:47334": "http://127.0.0.1:47334",
    "127.0.0.1:80": "http://127.0.0.1",
    localhost: "http://localhost:47334",
    "localhost:8000/mdb/": "http://localhost:8000/mdb",
    "[::1]": "http://[::1]:47334",
    "[::1]:5000": "http://[::1]:5000",
    "::1": "http://[::1]:47334",
    "  http://127.0.0.1:47334/  ": "http://127.0.0.1:47334",
    "http://127.0.0.1:47334/api/": "http://127.0.0.1:47334",
    "HTTP://LOCALHOST:47334": "http://localhost:47334",
    "https://[::1]": "https://[::1]",
    "https://mdb.example.com/a/b//": "https://mdb.example.com/a/b",
    "https://mdb.example.com:8443/x?y=1#z": "https://mdb.example.com:8443/x",
    "http://mdb.example.com:80": "http://mdb.example.com",
    "//127.0.0.1:47334": "http://127.0.0.1:47334",
    "//127.0.0.1": "http://127.0.0.1:47334",
    "0.0.0.0": "http://0.0.0.0:47334",
    "[::]:47334": "http://[::]:47334",
    "localhost.": "http://localhost.:47334",
    "47334": "http://127.0.0.1:47334",
    ":5000": "http://127.0.0.1:5000",
    "http:/127.0.0.1:47334": "http://127.0.0.1:47334",
    "http:\\\\127.0.0.1:47334": "http://127.0.0.1:47334",
    "http://http://127.0.0.1:47334": "http://127.0.0.1:47334",
    "http://https://mdb.example.com/a": "https://mdb.example.com/a",
    "http://http:8080": "http://http:8080",
    "<http://127.0.0.1:47334>": "http://127.0.0.1:47334",
    '"http://127.0.0.1:47334",': "http://127.0.0.1:47334",
    "“http://127.0.0.1:47334”": "http://127.0.0.1:47334",
    "„http://127.0.0.1:47334“": "http://127.0.0.1:47334",
    "«http://127.0.0.1:47334»": "http://127.0.0.1:47334",
    "‘http://127.0.0.1:47334’": "http://127.0.0.1:47334",
    "127.0.0.1:47334\u200b": "http://127.0.0.1:47334",
    "\ufeff\u202ahttp://127.0.0.1:47334\u202c\n": "http://127.0.0.1:47334",
  };
  for (const [typed, address] of Object.entries(local)) {
    it(`reads "${typed}" as ${address}`, () => assert.equal(readings(typed)[0], address));
  }

  const tried: [why: string, typed: string, ...readings: string[]][] = [
    ["a scheme on this machine", "https://127.0.0.1", "https://127.0.0.1"],
    ["its usual port", "http://127.0.0.1:80", "http://127.0.0.1"],
    ["MindsDB's port on this machine", "localhost/a", "http://localhost:47334/a"],
    ["https first", "mdb.example.com", "https://mdb.example.com", "http://mdb.example.com:47334"],
    ["port 80 first for http", "http://127.0.0.1", "http://127.0.0.1", "http://127.0.0.1:47334"],
    ["it with a path, too", "HTTP://[::1]/a/", "http://[::1]/a", "http://[::1]:47334/a"],
    ["a typed port", "[::1]:5000/", "http://[::1]:5000", "https://[::1]:5000"],
    [
      "a typed port of another machine",
      "mdb.example.com:8080/x",
      "http://mdb.example.com:8080/x",
      "https://mdb.example.com:8080/x",
    ],
  ];
  for (const [why, typed, ...expected] of tried) {
    it(`tries ${why}: ${typed}`, () => assert.deepEqual(readings(typed), expected));
  }

  it("has no port without one", () => {
    assert.equal(formatAddress(parseAddress("http://mdb.example.com")), "http://mdb.example.com");
  });

  for (const [typed, says] of [
    ["", "Enter an address, like 127.0.0.1:47334."],
    ["   ", "Enter an address, like 127.0.0.1:47334."],
    ["ftp://a.b", "The address must start with http:// or https://, not ftp://."],
    ["http://", "“http://” is not an address. Enter one like 127.0.0.1:47334."],
    ["http://a b", "“http://a b” is not an address. Enter one like 127.0.0.1:47334."],
    [
      "http://u:p@127.0.0.1",
      "Leave the username and password out of the address. You'll be asked for them if the server needs them.",
    ],
    ["127.0.0.1:99999", "“127.0.0.1:99999” is not an address. Enter one like 127.0.0.1:47334."],
  ] as const) {
    it(`rejects "${typed}" with a message`, () => {
      assert.throws(
        () => parseAddress(typed),
        (error) => isAppError(error, "address") && error.message === says,
      );
    });
  }

  it("recognizes this machine", () => {
    for (const [typed, expected] of [
      ["127.0.0.1", true],
      ["127.8.9.1:1", true],
      ["[::1]", true],
      ["http://x.localhost", true],
      ["http://LOCALHOST.", true],
      ["http://0.0.0.0:47334", true],
      ["http://127.0.0.1.example.com", false],
      ["http://localhost.example.com", false],
    ] as const) {
      assert.equal(isLoopback(parseAddress(typed)), expected, typed);
    }
  });
});
