// Talking to the server.

let token = document.querySelector('meta[name="token"]').content;

export async function api(path, method = "GET", body = undefined, again = true) {
  const response = await fetch(path, {
    method,
    headers: { "X-Prismpy-Token": token, "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  if (response.status === 401) location.reload(); // it asks for the password
  if (response.status === 403 && again && (await renewed())) return api(path, method, body, false);
  let told = text;
  try {
    told = JSON.parse(text).error;
  } catch {
    // a refusal in plain words
  }
  throw new Error(told);
}

// a server that was started anew has a token of its own
async function renewed() {
  const found = /name="token" content="([\w-]+)"/.exec(await (await fetch("/")).text());
  if (!found || found[1] === token) return false;
  token = found[1];
  return true;
}
