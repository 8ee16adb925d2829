-- Keeps a sign-up until its code comes back. `known` says that the address has an account already: the flow then
-- exists and looks the same, and no code opens it.
create or replace function begin_sign_up(
    p_flow uuid, p_client text, p_address_key text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_address text, p_request text,
    out known boolean)
language plpgsql as $$
begin
    known := exists (select from account_emails e where e.address_key = p_address_key and e.proved_at is not null);
    insert into flows (id, kind, client_id, address_key, state, code_digest, resend_after, expires_at)
    values (p_flow, 'sign_up', p_client, p_address_key, p_state, case when not known then p_code_digest end,
            now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_events (action, outcome, reason, client_id, address, request_id, detail)
    values ('sign_up_started', 'done', case when known then 'address_known' end, p_client, p_address, p_request,
            jsonb_build_object('flow', p_flow));
end $$;
