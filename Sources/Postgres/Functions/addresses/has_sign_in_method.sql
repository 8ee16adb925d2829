-- Whether an account has a usable sign-in method. `p_providers` are the providers that work today. An address counts
-- only if our code proved it, or the person who put it in vouched for it: a provider's word doesn't show that mail arrives. A
-- password also opens an account by an activated claim (account_to_sign_in).
-- Locks: none
-- Invariant: an open account has a usable sign-in method.
create or replace function has_sign_in_method(p_account uuid, p_providers text[]) returns boolean language sql stable as $$
    select exists (select from identities where account_id = p_account and provider = any (p_providers))
        or ('passkey' = any (p_providers) and exists (select from passkeys where account_id = p_account))
        or ('email_otp' = any (p_providers)
            and exists (select from account_emails where account_id = p_account and proved_at is not null and not is_relay
                                                     and (source = 'person' or is_put_in(source))))
        or ('sms_otp' = any (p_providers) and exists (select from account_phones where account_id = p_account and proved_at is not null))
        or ('password' = any (p_providers) and exists (select from passwords where account_id = p_account)
            and (exists (select from account_emails where account_id = p_account and (proved_at is not null and not is_relay or source = 'activated'))
                 or exists (select from account_phones where account_id = p_account and (proved_at is not null or source = 'activated'))
                 or exists (select from accounts where id = p_account and user_name is not null)));
$$;
