-- Creates an account for a new identity. `p_takes_address`: the address is proved, so every unproved claim on it is
-- removed.
-- Locks: *lock_identity, advisory address, *lock_claimants, flows, *spend, accounts (new), *insert_identity,
-- *clear_unproved_claims, account_emails (new), *forget_address_changes, *end_guest, *store_provider_token,
-- *reach_session. Other accounts are locked only where they claim the address unproved.
-- Outcomes: facts_changed, flow_expired, *reach_session
-- Invariant: one identity has one account; a single-use value is used once.
create or replace function sign_in_new_account(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address text, p_address_key text, p_takes_address boolean,
    p_rule text, p_explain jsonb, p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea,
    p_flow uuid, p session_request, p_gate jsonb,
    out outcome text, out account_created timestamptz)
language plpgsql as $$
declare
    was_spent boolean;
    added timestamptz;
    is_taken boolean;
    is_claimed boolean;
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    if p_address_key is not null then
        perform pg_advisory_xact_lock(hashtextextended(p_address_key, 2));   -- as lock_claimants does; few addresses need that
        select bool_or(e.proved_at is not null and not e.is_relay), bool_or(e.proved_at is null) into is_taken, is_claimed
          from account_emails e where e.address_key = p_address_key;
        if is_claimed and p_takes_address then
            perform lock_claimants(array[p_address_key]);
        end if;
    end if;
    if is_taken and not p_facts.email_is_relay
       or exists (select from identities i
                   where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
    then
        outcome := 'facts_changed';
        return;
    end if;
    if p_flow is not null then
        delete from flows f where f.id = p_flow and f.expires_at > now();
        if not found then
            outcome := 'flow_expired';
            return;
        end if;
    end if;
    was_spent := spend(p_spent, p_spent_until);
    account_created := now();
    insert into accounts (id, client_id, display_name, created_at) values (p_account, p.client_id, p_facts.display_name, account_created);
    added := insert_identity(p_identity, p_account, p_facts, p_rule, p.id);
    if p_address_key is not null then
        if is_claimed and p_takes_address then
            perform clear_unproved_claims(p_address_key, p_account, (p).client_id, (p).request_id);
        elsif p_takes_address then
            delete from flows where address_key = p_address_key;
        end if;
        insert into account_emails (account_id, address_key, address, source, proved_at, is_relay)
        values (p_account, p_address_key, p_address, p_facts.provider, case when p_takes_address then now() end,
                p_facts.email_is_relay);
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(p_identity, p_token_client, p_token_sealed);
    end if;
    outcome := reach_session(p, p_account, p_identity, 'account_created', p_rule, p_explain, null, p_gate);
end $$;
