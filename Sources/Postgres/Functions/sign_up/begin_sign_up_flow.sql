-- Stores a sign-up until its code is confirmed.
-- Locks: flows (new).
-- Outcomes: user_name_taken, known, opened
create or replace function begin_sign_up_flow(
    p_flow uuid, p_client text, p_kind text, p_key text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_code outgoing_message, p_account_exists outgoing_message, p_address text, p_request text)
returns text language plpgsql as $$
declare
    known boolean := account_by_name(p_kind, p_key) is not null;
begin
    if account_by_name('user_name', p_state->>'user_name_key') is not null then
        return 'user_name_taken';
    end if;
    insert into flows (id, kind, client_id, address_key, state, code_digest, resend_after, expires_at)
    values (p_flow, 'sign_up', p_client, p_key, p_state, case when not known then p_code_digest end,
            now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('sign_up_started', 'done', case when known then 'address_known' end, p_client, p_address, p_request,
            jsonb_build_object('flow', p_flow));
    perform enqueue(case when known then p_account_exists else p_code end);
    return case when known then 'known' else 'opened' end;
end $$;
