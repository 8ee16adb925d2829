-- A mailbox without an account is told so by a statement of its own.
drop function if exists begin_code_flow(
    uuid, text, text, text, jsonb, bytea, integer, outgoing_message, outgoing_message, bytea[], bigint[], bigint[], text, text, text);
