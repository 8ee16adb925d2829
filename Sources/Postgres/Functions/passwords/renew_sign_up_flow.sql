-- Stores a new code for a sign-up. A sign-up for a name with an account has no code: the caller sends the other mail.
-- Locks: flows (for update).
-- Outcomes: flow_expired, too_many_resends, wait, known, sent
create or replace function renew_sign_up_flow(
    p_flow uuid, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer, p_address text, p_request text,
    out outcome text, out wait double precision, out state jsonb)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.expires_at > now() and not f.proved for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if flow.resends >= p_most_resends then
        outcome := 'too_many_resends';
        return;
    end if;
    wait := extract(epoch from flow.resend_after - now());
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    wait := 0;
    state := flow.state;
    outcome := case when flow.code_digest is null then 'known' else 'sent' end;
    update flows f
       set code_digest = case when f.code_digest is not null then p_code_digest end, tries = 0, foreign_tries = 0, resends = f.resends + 1,
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    insert into audit_inbox (action, outcome, client_id, address, request_id, detail)
    values ('code_resent', 'done', flow.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
end $$;
