-- Sets a new password that the user chose while signed in. `p_old_hash`: the password that was just proved; null: none,
-- so the session needs a recent proof. A guest has none and sets no password: the later user of the account would not know it.
-- A session below the account's level needs the second factor. Other sessions end.
-- Locks: accounts (for update), *may_change_factors, *replace_password.
-- Outcomes: step_up_required, facts_changed, changed, *may_change_factors
create or replace function change_password(
    p_account uuid, p_session uuid, p_recent_seconds integer, p_old_hash text, p_new password_verifiers, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    through text;
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins in progress
    refused := may_change_factors(p_account, p_session, p_recent_seconds);
    -- The typed password replaces a recent proof, but not the second factor.
    if p_old_hash is not null and refused in ('reauth_required', 'step_up_required') then
        refused := case when exists (select from accounts a join sessions s on s.id = p_session
                                      where a.id = p_account and a.mfa and s.acr <> '2')
                        then 'step_up_required' end;
    end if;
    if refused is not null then
        return refused;
    end if;
    if (select hash from passwords where account_id = p_account) is distinct from p_old_hash then
        return 'facts_changed';
    end if;
    -- A password that was set with one factor depends on that factor (set_through). A change with one factor keeps this mark.
    select case when s.acr = '2' then null when p_old_hash is not null then w.set_through else proof_thing(s.proofs->0) end into through
      from sessions s left join passwords w on w.account_id = p_account
     where s.id = p_session;
    perform replace_password(p_account, p_new, 'changed', through, false, p_session, null, p_client, p_address, p_request);
    return 'changed';
end $$;
