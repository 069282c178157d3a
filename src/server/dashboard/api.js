// Requests to the API. A failure is an Error with the words of the server.
export class Refused extends Error {}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...options });
  } catch {
    throw new Error('The server does not answer. Is Forage still running?');
  }
  if (response.status === 401) throw new Refused('a token is needed');
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new Error((body && body.detail) || 'The server answers with status ' + response.status + '.');
  return body;
}

export function get(name, args) {
  const query = new URLSearchParams(Object.entries(args || {}).filter(([, value]) => value !== undefined && value !== '' && value !== null));
  return ask('/api/v1/' + name + (query.size ? '?' + query : ''));
}

export function post(path, body) {
  return ask(path.startsWith('/') ? path : '/api/v1/' + path, {
    method: 'POST', keepalive: true, body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') },
  });
}

// Rows of all parts, up to `most`.
export async function all(name, args, most) {
  const rows = [];
  let after;
  do {
    const part = await get(name, { ...args, after, limit: Math.min(1000, most - rows.length) });
    rows.push(...part.items);
    after = part.next;
  } while (after && rows.length < most);
  return rows;
}
