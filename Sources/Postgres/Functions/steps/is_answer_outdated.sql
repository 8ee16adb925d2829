-- Whether a right answer no longer counts, because the account has changed: it adds a factor as the first one; or it
-- creates a session with one factor where two are required and no remembered device replaces the second. Not checked
-- when a password, factor or identity changes or a session is raised.
-- Locks: none
-- Invariant: an ended session stays ended.
create or replace function is_answer_outdated(p_flow flows, p_effects jsonb, p_makes_session boolean, p_acr text)
returns boolean language plpgsql stable as $$
declare
    account record;
    adds boolean;
    changes boolean;
begin
    select a.mfa, a.mfa_demanded, exists (select from passkeys k where k.account_id = a.id) as has_passkey into account
      from accounts a where a.id = p_flow.account_id;
    adds := exists (select from jsonb_array_elements(p_effects) e where e->>'kind' in ('add_factor', 'add_passkey'));
    if adds and (account.mfa or (account.has_passkey and not p_flow.proofs @> '[{"kind": "passkey"}]')) then
        return true;
    end if;
    changes := adds or p_flow.link_flow is not null or p_flow.session_id is not null
               or exists (select from jsonb_array_elements(p_effects) e where e->>'kind' = 'password');
    return p_makes_session and p_acr <> '2' and (account.mfa or account.mfa_demanded)
           and (changes or not account.mfa
                or not exists (select from jsonb_array_elements(p_effects) e where e->>'kind' = 'remembered_device'));
end $$;
