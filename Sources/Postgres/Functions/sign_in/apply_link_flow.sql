-- Links the identity of a link flow to the account that was just proved. Returns null, or the refusal. A flow with its
-- own rule belongs to a sign-in by address (sign_in_linking): the account must still have that address.
-- Locks: *lock_link_flow, accounts (for no key update), flows (for update), *lock_identity, *add_identity,
-- provider_tokens (new). Callers hold the identity and the account already, as strongly.
-- Outcomes: flow_expired, link_subject_changed, identity_in_use, null
-- Invariant: one identity has one account.
create or replace function apply_link_flow(p_flow uuid, p_account uuid, p_client text, p_session uuid, p_request text) returns text
language plpgsql as $$
declare
    flow record;
    facts identity_facts;
    owner uuid;
    rule text;
begin
    -- Locks in order: identity, account, flow. Callers hold the first two with the same strength.
    perform lock_link_flow(p_flow);
    perform 1 from accounts where id = p_account for no key update;
    select f.account_id, f.state into flow from flows f
     where f.id = p_flow and f.kind = 'link_account' and f.client_id = p_client and f.expires_at > now() for update;
    if not found then
        return 'flow_expired';
    end if;
    if flow.account_id <> p_account then
        return 'link_subject_changed';
    end if;
    rule := coalesce(flow.state->>'rule', 'proved_both');
    if flow.state->>'address_key' is not null
       and not exists (select from account_emails
                        where account_id = p_account and address_key = flow.state->>'address_key' and proved_at is not null)
    then
        return 'flow_expired';
    end if;
    facts := jsonb_populate_record(null::identity_facts, flow.state);
    perform lock_identity(facts.provider, facts.realm, facts.subject);
    if add_identity((flow.state->>'identity')::uuid, p_account, facts, rule, p_session) is null then
        select account_id into owner from identities
         where provider = facts.provider and realm = facts.realm and subject = facts.subject;
        if owner is distinct from p_account then
            return 'identity_in_use';
        end if;
    else
        insert into provider_tokens (identity_id, client_id, kind, sealed)
        select (flow.state->>'identity')::uuid, token->>'client_id', 'refresh', decode(token->>'sealed', 'base64')
          from jsonb_array_elements(coalesce(flow.state->'tokens', '[]')) token;
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, request_id, detail)
        values ('identity_linked', 'done', rule, p_account, (flow.state->>'identity')::uuid, p_session, p_client,
                facts.provider, p_request, flow.state->'explain');
        perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', facts.provider), p_client);
    end if;
    delete from flows where id = p_flow;
    return null;
end $$;
