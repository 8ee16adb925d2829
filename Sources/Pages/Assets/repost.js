// A hidden field may have the name "submit", so the form's method comes from its prototype.
const form = document.getElementById("repost");
if (form) HTMLFormElement.prototype.submit.call(form);
