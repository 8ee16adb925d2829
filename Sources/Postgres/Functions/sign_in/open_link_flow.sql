-- Stores a verified identity until the user proves the account with its address, or declines. The check of the facts
-- prevents a duplicate first sign-in from asking about the account that its twin just created.
-- Locks: *lock_identity, *spend, flows (new).
-- Outcomes: facts_changed, asked
-- Invariant: a single-use value is used once.
create or replace function open_link_flow(
    p_account uuid, p_flow uuid, p_client text, p_address_key text, p_state jsonb, p_seconds integer, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_address text, p_request text,
    out outcome text)
language plpgsql as $$
begin
    perform lock_identity(p_state->>'provider', p_state->>'realm', p_state->>'subject');
    if exists (select from identities
                where provider = p_state->>'provider' and realm = p_state->>'realm' and subject = p_state->>'subject')
       or not exists (select from account_emails e join accounts a on a.id = e.account_id
                       where e.account_id = p_account and e.address_key = p_address_key and not e.is_relay
                         and e.proved_at is not null and a.status = 'active')
    then
        outcome := 'facts_changed';
        return;
    end if;
    perform spend(p_spent, p_spent_until);
    insert into flows (id, kind, client_id, account_id, state, expires_at)
    values (p_flow, 'link_account', p_client, p_account, p_state, now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, reason, account_id, client_id, provider, address, request_id, detail)
    values ('link_asked', 'done', p_explain->>'rule', p_account, p_client, p_state->>'provider', p_address, p_request, p_explain);
    outcome := 'asked';
end $$;
