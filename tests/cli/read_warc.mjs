// read_warc.mjs MODULE FILE...: what warcio.js, which knows nothing of us, finds in WARC
// files. One JSON object a record, with the digests it makes itself.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { basename } from "node:path";

const [module, ...files] = process.argv.slice(2);
const { WARCParser } = await import(module);

function base32(bytes) {
  let bits = "";
  for (const b of bytes) bits += b.toString(2).padStart(8, "0");
  return bits.match(/.{5}/g).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five, 2)]).join("");
}
const sha1 = (bytes) => "sha1:" + base32(createHash("sha1").update(bytes).digest());

for (const file of files) {
  const parser = new WARCParser(Readable.toWeb(createReadStream(file)), { keepHeadersCase: true, parseHttp: false });
  for await (const record of parser) {
    const block = Buffer.from(await record.readFully(false));
    const head = block.indexOf("\r\n\r\n");
    const http = record.warcContentType?.startsWith("application/http") && head >= 0;
    console.log(JSON.stringify({
      file: basename(file),
      offset: parser.offset,
      length: parser.recordLength,
      type: record.warcType,
      url: record.warcTargetURI ?? null,
      date: record.warcDate,
      id: record.warcHeader("WARC-Record-ID"),
      version: record.warcHeaders.protocol,
      block_said: record.warcBlockDigest ?? null,
      payload_said: record.warcPayloadDigest ?? null,
      block: sha1(block),
      payload: http ? sha1(block.subarray(head + 4)) : null,
      refers_to: record.warcRefersToTargetURI ?? null,
    }));
  }
}
