// As much of Node's assert as the runner of the scenarios uses, for browsers.

function ok(value, message) {
  if (!value) throw new Error(message ?? "should be so");
}

export default {
  ok,
  equal: (a, b) => ok(Object.is(a, b), `${a} should be ${b}`),
  match: (text, pattern) => ok(pattern.test(text), `${text} should match ${pattern}`),
};
